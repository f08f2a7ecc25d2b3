package consumer;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.micrometer.MicrometerTelemetry;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** A service whose locks are metrics beside all others. */
@SpringBootApplication
public class Application {

    public static void main(String[] args) {
        SpringApplication.run(Application.class, args);
    }

    @Bean
    Coordinator baton(MeterRegistry registry) throws InterruptedException {
        CoordinatorOptions options = CoordinatorOptions.builder()
                .telemetry(MicrometerTelemetry.of(registry))
                .build();
        return Coordinator.connect("mem:consumer", options);
    }
}
